"""plainloop: an agent service without a framework, readable in an afternoon."""

__version__ = "0.1.0"
