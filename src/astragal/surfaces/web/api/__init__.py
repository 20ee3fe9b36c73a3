"""The JSON API: its schemas and its OpenAPI document."""
