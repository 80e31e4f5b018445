"""Private means and directions: lower bounds with constants, private algorithms, and rates between the two."""
