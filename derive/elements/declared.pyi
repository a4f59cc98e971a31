# Made from the records by tests/house/declared_stub.py; docstrings stand there.
from eomc.derive.elements.constraint import Constraint
from eomc.derive.elements.declares import Declares, Table
from eomc.derive.elements.element import Element
from eomc.derive.elements.frame import Frame
from eomc.derive.elements.initial_guess import InitialGuess
from eomc.derive.elements.latch import Latch
from eomc.derive.elements.prescribed_motion import PrescribedMotion
from eomc.derive.elements.servo_constraint import ServoConstraint
from eomc.derive.elements.visual import Visual
from eomc.derive.forces.algebraic import Algebraic
from eomc.derive.forces.applied import PointForce, PointTorque
from eomc.derive.forces.bearing import Bearing
from eomc.derive.forces.bristle import Bristle
from eomc.derive.forces.cable import Cable
from eomc.derive.forces.catenary import Catenary
from eomc.derive.forces.central_gravity import CentralGravity
from eomc.derive.forces.contact import Contact
from eomc.derive.forces.dry_friction import DryFriction
from eomc.derive.forces.generalized_force import GeneralizedForce
from eomc.derive.forces.involute_cable import InvoluteCable
from eomc.derive.forces.joint_spring import JointSpring
from eomc.derive.forces.lag import Lag
from eomc.derive.forces.measured import MeasuredOutput
from eomc.derive.forces.point_spring import PointSpring
from eomc.derive.forces.potential import Potential
from eomc.derive.forces.state import FirstOrderState
from eomc.derive.forces.stop import ElasticStop
from eomc.derive.forces.tendon import Tendon
from eomc.derive.forces.tether import Tether
from eomc.derive.forces.tyre import Tyre

class Declared:
    @classmethod
    def learn(cls, kind: type[Element]) -> None: ...
    algebraic = Declares(Algebraic)
    algebraic_variables = Table(Algebraic)
    force = Declares(PointForce)
    forces = Table(PointForce)
    torque = Declares(PointTorque)
    torques = Table(PointTorque)
    bearing = Declares(Bearing)
    bearings = Table(Bearing)
    bristle = Declares(Bristle)
    bristles = Table(Bristle)
    cable = Declares(Cable)
    cables = Table(Cable)
    catenary = Declares(Catenary)
    catenaries = Table(Catenary)
    central_gravity = Declares(CentralGravity)
    central_gravities = Table(CentralGravity)
    contact = Declares(Contact)
    contacts = Table(Contact)
    dry_friction = Declares(DryFriction)
    dry_frictions = Table(DryFriction)
    generalized_force = Declares(GeneralizedForce)
    generalized_forces = Table(GeneralizedForce)
    involute_cable = Declares(InvoluteCable)
    involute_cables = Table(InvoluteCable)
    joint_spring = Declares(JointSpring)
    joint_springs = Table(JointSpring)
    lag = Declares(Lag)
    lags = Table(Lag)
    output = Declares(MeasuredOutput)
    outputs = Table(MeasuredOutput)
    spring = Declares(PointSpring)
    springs = Table(PointSpring)
    potential = Declares(Potential)
    potentials = Table(Potential)
    state = Declares(FirstOrderState)
    states = Table(FirstOrderState)
    stop = Declares(ElasticStop)
    stops = Table(ElasticStop)
    tendon = Declares(Tendon)
    tendons = Table(Tendon)
    tether = Declares(Tether)
    tethers = Table(Tether)
    tyre = Declares(Tyre)
    tyres = Table(Tyre)
    constraints = Table(Constraint)
    frame = Declares(Frame)
    frames = Table(Frame)
    initial_guess = Declares(InitialGuess)
    initial_guesses = Table(InitialGuess)
    latch = Declares(Latch)
    latches = Table(Latch)
    prescribed = Declares(PrescribedMotion)
    prescribed_motions = Table(PrescribedMotion)
    servo_constraint = Declares(ServoConstraint)
    servo_constraints = Table(ServoConstraint)
    visual = Declares(Visual)
    visuals = Table(Visual)
