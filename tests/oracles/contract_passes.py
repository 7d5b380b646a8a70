"""The passes that take contractions from loops to vector code, as the pipeline runs them."""

from typing import Any

from xdsl.passes import ModulePass

from polyopt.passes.loops.contract.contract import AffineContractPass
from polyopt.passes.loops.contract.passes import (
    ContractBlockPass,
    ContractFusePass,
    ContractPlacePass,
    ContractPlanPass,
    ContractToAffinePass,
)

FOUND = ("smallest", "keep_unrolled")


def contract_passes(**options: Any) -> list[ModulePass]:
    """Each option goes to the pass that has it."""
    found = {name: value for name, value in options.items() if name in FOUND}
    planned = {name: value for name, value in options.items() if name not in FOUND}
    return [
        AffineContractPass(**found),
        ContractPlanPass(**planned),
        ContractFusePass(),
        ContractBlockPass(),
        ContractPlacePass(),
        ContractToAffinePass(),
    ]
