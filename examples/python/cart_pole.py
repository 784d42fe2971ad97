"""A cart balances a pendulum, with the loop that reinforcement learners expect: reset, step, render.

The model has 3D parts, so its result shows the motion. The controller is four numbers times the
state; a learner would find them. A reset restores a saved state, which takes no translation. Expect
an upright pendulum after 10 s, and one that falls without a controller.
"""

from __future__ import annotations

import math
import random
import time
from typing import Any, Dict, List, Optional, Tuple

import segue

TEXT = """
using Modia3D
include("$(Modia3D.modelsPath)/Translational.jl")
box(mass, x, y, z, color) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = z),
    massProperties = MassPropertiesFromShapeAndMass(mass = mass), visualMaterial = VisualMaterial(color = color))

CartPole = Model3D(
    u = Var(input = true, start = 0.0),  # force on the cart [N]
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    rail = Object3D(parent = :world, translation = [0, 0, -0.1],
        feature = Visual(shape = Box(lengthX = 5.0, lengthY = 0.05, lengthZ = 0.05))),
    cart = Object3D(feature = box(1.0, 0.4, 0.2, 0.2, "DodgerBlue4")),
    slide = PrismaticWithFlange(obj1 = :world, obj2 = :cart, axis = 1),
    drive = UnitlessForce,
    pole = Object3D(),
    hinge = Revolute(obj1 = :cart, obj2 = :pole, axis = 2, phi = Var(init = 0.05)),
    rod = Object3D(parent = :pole, translation = [0, 0, 0.5], feature = box(0.1, 0.04, 0.04, 1.0, "Orange")),
    equations = :[drive.f = u],
    connect = :[(drive.flange, slide.flange)])
cartPole = @instantiateModel(CartPole, unitless = true)
"""


class CartPole:
    """An environment: observations are (x, v, phi, w), the action is a force [N]."""

    signals = ("slide.s", "slide.v", "hinge.phi", "hinge.w")
    dt = 0.02  # [s]
    largest_force = 20.0  # [N]

    def __init__(self) -> None:
        self.model = segue.loads(TEXT)
        self.run: Optional[segue.Run] = None

    def reset(self, seed: Optional[int] = None) -> Tuple[Any, Dict[str, float]]:
        """A pendulum that leans a little, at rest."""
        lean = random.Random(seed).uniform(-0.1, 0.1)
        if self.run is not None:
            self.run.close()
        self.model["hinge.phi"] = lean
        self.run = self.model.start(stop=1000, tolerance=1e-6)
        self.action = self.run.inputs("u")
        self.observation = self.run.outputs(*self.signals)
        return self.observation.copy(), {"lean": lean}

    def step(self, action: float) -> Tuple[Any, float, bool, bool, Dict[str, float]]:
        """Observation, reward, fallen, too late, more; after 0.02 s with this force."""
        assert self.run is not None, "reset() comes first"
        self.action[0] = max(-self.largest_force, min(self.largest_force, action))
        now = self.run.step(self.dt)
        x, _, phi, _ = self.observation
        fallen = bool(abs(x) > 2.4 or abs(phi) > 0.5)
        return self.observation.copy(), 0.0 if fallen else 1.0, fallen, now > 9.999, {"time": now}

    def render(self) -> str:
        """The cart as a picture, in SVG."""
        x, _, phi, _ = self.observation
        px, tip = 250 + 100 * x, (250 + 100 * (x + math.sin(phi)), 150 - 100 * math.cos(phi))
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 200"><path d="M0 160h500" stroke="gray"/>'
            f'<rect x="{px - 20:.1f}" y="140" width="40" height="20" fill="steelblue"/>'
            f'<path d="M{px:.1f} 150L{tip[0]:.1f} {tip[1]:.1f}" stroke="orange" stroke-width="5"/></svg>'
        )

    def close(self) -> Optional[segue.Result]:
        """The result of the last episode."""
        return self.run.result if self.run is not None else None


def episode(env: CartPole, gains: List[float], seed: int) -> Tuple[float, Any]:
    """The sum of rewards, and where it ended."""
    observation, _ = env.reset(seed)
    total, over = 0.0, False
    while not over:
        force = sum(k * y for k, y in zip(gains, observation))
        observation, reward, fallen, late, _ = env.step(force)
        total += reward
        over = fallen or late
    return total, observation


def main() -> None:
    env = CartPole()
    lazy, _ = episode(env, [0.0, 0.0, 0.0, 0.0], seed=1)
    began = time.process_time()
    total, end = episode(env, [1.5, 2.8, 36.0, 9.5], seed=1)
    rate = total / (time.process_time() - began)
    print(f"without a controller {lazy:.0f} steps, with one {total:.0f}; {rate:.0f} steps a second")
    print(f"after 10 s: cart at {end[0]:.3f} m, pendulum at {end[2]:.4f} rad; {len(env.render())} bytes of SVG")
    result = env.close()
    print(result)
    assert lazy < 200 and total == 500 and abs(end[2]) < 0.01


if __name__ == "__main__":
    main()
