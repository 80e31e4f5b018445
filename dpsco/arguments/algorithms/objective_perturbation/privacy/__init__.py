"""Arguments on the noise that hides a record: for judges of algorithm, privacy, privacy_steps, approximate, strongly_convex."""
