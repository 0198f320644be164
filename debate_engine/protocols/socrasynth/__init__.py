"""SocraSynth: two sides argue as contentiousness falls; they are scored, judged, reconciled (Chang, 2402.06634)."""
