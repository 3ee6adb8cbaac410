"""What runs on the candidate's side of the trust boundary. Nothing here knows an answer."""
