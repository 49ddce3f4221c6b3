"""What an agent's transcript says of its words, title, model and context; read as it is drawn, kept nowhere."""
