"""Lists of functions with shares, as profilers of programs print them: a form is a row of `forms.yaml`."""
