"""The museum of failures: published failures of accountants, calibrators and mechanisms, each with a program that shows it."""
