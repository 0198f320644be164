"""What personas read: texts, Markdown, PDF files, pages of the web, short videos as text, and folders of these."""
