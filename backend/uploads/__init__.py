"""Files that come in pieces: resumable upload by tus 1.0, and the names senders give to files."""
