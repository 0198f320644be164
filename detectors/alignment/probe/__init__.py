"""The probe of self-awareness: is bias seen in one's own answer as it is in another's? (Cheng et al., figure 1)."""
