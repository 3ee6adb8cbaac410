"""What the notebook of hand_design_transformer imports: heads run by torch, and drawings."""
