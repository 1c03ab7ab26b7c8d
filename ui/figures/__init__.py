"""Figures: result in, Plotly figure and its description in words out. Nothing here asks Streamlit anything."""
