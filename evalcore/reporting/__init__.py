"""A result as text where it is read without us: Markdown for a pull request, JUnit XML for a CI's test report."""
