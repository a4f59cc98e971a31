"""Statics of cables and struts: forms that balance, states of self-stress, mechanisms."""

from eomc.runtime.statics.form_finding import FormFindingResult, form_finding
from eomc.runtime.statics.prestress import Prestress, prestress

__all__ = ["FormFindingResult", "Prestress", "form_finding", "prestress"]
