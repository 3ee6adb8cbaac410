"""What one homework's notebook alone imports: its data and its drawings, a package each."""
