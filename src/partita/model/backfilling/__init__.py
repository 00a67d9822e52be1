"""Old items brought to what the declarations of now derive, while the application goes on."""
