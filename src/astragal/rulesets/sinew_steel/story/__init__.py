"""The story between the rolls: Luck that comes and goes, milestones, and moves for when the players stall."""
