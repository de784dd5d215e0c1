"""Pages in every locale: numbers and links in `views`, words in `words`, text in `render`."""
