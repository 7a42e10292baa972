"""Messages as chats, mails and issues show them, made of the body of a delivery."""
