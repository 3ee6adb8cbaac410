"""What the lesson graph_networks states."""
