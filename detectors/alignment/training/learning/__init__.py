"""What runs in the process of a training: TRL's trainers, models, the gate's scores. Imports torch and the rest."""
