"""Small model files: every element that is read, and the same mechanism in two formats."""

XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="m" value="2.5"/>
  <xacro:macro name="rod" params="name mass length">
    <link name="${name}"><inertial>
      <origin xyz="0 0 ${-length/2}"/><mass value="${mass}"/>
      <inertia ixx="${mass*length**2/12}" iyy="${mass*length**2/12}" izz="0.001"
               ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  </xacro:macro>
  <link name="base"/>
  <xacro:rod name="upper" mass="${m}" length="0.5"/>
  <xacro:rod name="lower" mass="${m/2}" length="0.4"/>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/>
  </joint>
</robot>
"""

EXPANDED = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.25"/><mass value="2.5"/>
    <inertia ixx="0.052083333333333336" iyy="0.052083333333333336" izz="0.001"
             ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 0 -0.2"/><mass value="1.25"/>
    <inertia ixx="0.016666666666666666" iyy="0.016666666666666666" izz="0.001"
             ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/>
  </joint>
</robot>
"""

EVERYTHING = """<mujoco model="everything">
  <compiler angle="degree" eulerseq="zyx"/>
  <option gravity="0.5 0 -9.7"/>
  <default>
    <joint damping="0.3"/>
    <default class="light"><geom density="300"/><joint armature="0.02"/></default>
  </default>
  <worldbody>
    <body name="trunk" pos="0 0 1" euler="20 10 5">
      <freejoint name="root"/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.03" mass="0.7"/>
      <site name="mast" pos="0.1 0 0.2" euler="10 20 0"/>
      <site name="eye" pos="0 0.05 0.1"/>
      <body name="leg" pos="0.2 0 0" quat="0.9 0.1 0.2 0.3" childclass="light">
        <joint name="yaw" axis="0 0 1" pos="0.01 0.02 0.03" range="-60 60" ref="15"
               stiffness="3" springref="10"/>
        <joint name="reach" type="slide" axis="1 1 0" ref="0.1" stiffness="40"/>
        <geom type="cylinder" fromto="0 0 0 0 0 -0.4" size="0.02"/>
        <geom type="ellipsoid" size="0.03 0.02 0.05" pos="0 0 -0.4"/>
        <site name="shin" pos="0 0 -0.2"/>
        <body name="foot" pos="0 0 -0.4" gravcomp="0.6">
          <joint name="ankle" type="ball" pos="0 0 0.02" armature="0"/>
          <geom type="sphere" size="0.04"/>
          <geom type="sphere" size="0.02" pos="0.1 0 0"/>
        </body>
      </body>
      <body name="tail" pos="-0.2 0 0">
        <inertial pos="-0.1 0.01 0" mass="0.4" fullinertia="2e-3 3e-3 4e-3 1e-4 2e-4 3e-4"/>
        <joint name="wag" axis="0 0.6 0.8" frictionloss="0.1"/>
        <site name="tip" pos="-0.3 0 0"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="both" stiffness="5" damping="0.2">
      <joint joint="yaw" coef="0.3"/><joint joint="wag" coef="-0.7"/>
    </fixed>
    <spatial name="rope" stiffness="20" damping="0.5" springlength="0.1">
      <site site="tip"/><site site="eye"/><site site="shin"/>
    </spatial>
    <spatial name="band" springlength="0.2 0.4" stiffness="10">
      <site site="tip"/><site site="shin"/>
    </spatial>
  </tendon>
  <actuator>
    <motor name="x" joint="yaw" gear="12"/>
    <position name="wag" joint="wag" kp="7" kv="0.4"/>
    <velocity joint="reach" kv="3"/>
    <general name="pull" tendon="rope" gainprm="4" biastype="affine" biasprm="1 -2 -0.3" gear="2"/>
    <motor name="sum" tendon="both" gear="3"/>
    <motor name="jet" site="mast" gear="1 2 3 0.1 0.2 0.3"/>
  </actuator>
</mujoco>
"""

LOOPS = """<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="left"><joint name="a" axis="0 1 0"/><geom size="0.05" fromto="0 0 0 0 0 1"
      type="capsule"/>
      <body name="coupler" pos="0 0 1"><joint name="b" axis="0 1 0"/>
        <geom size="0.05" fromto="0 0 0 1 0 0" type="capsule"/></body>
    </body>
    <body name="right" pos="1 0 0"><joint name="c" axis="0 1 0"/>
      <geom size="0.05" fromto="0 0 0 0 0 1" type="capsule"/></body>
  </worldbody>
  <equality>
    <connect name="pin" body1="coupler" body2="right" anchor="1 0 0"/>
  </equality>
</mujoco>
"""

SDF = """<?xml version="1.0"?>
<sdf version="1.9">
  <world name="hall">
  <gravity>0 0.3 -9.81</gravity>
  <model name="arm" canonical_link="base">
    <pose>0.1 0.2 1 0.1 0.2 0.3</pose>
    <link name="base"><inertial><mass>3</mass></inertial></link>
    <link name="upper">
      <pose relative_to="shoulder" degrees="true">0 0 0.3 0 0 90</pose>
      <inertial><pose>0 0.1 0 0.2 0 0</pose><mass>2</mass>
        <inertia><ixx>0.1</ixx><iyy>0.12</iyy><izz>0.15</izz><ixy>0.01</ixy><ixz>0</ixz>
        <iyz>0</iyz></inertia></inertial>
    </link>
    <link name="lower">
      <pose relative_to="elbow">0 0 0.2 0 0 0</pose>
      <inertial><mass>1</mass><inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.01</izz><ixy>0</ixy>
        <ixz>0</ixz><iyz>0</iyz></inertia></inertial>
    </link>
    <joint name="weld" type="fixed"><parent>world</parent><child>base</child></joint>
    <joint name="shoulder" type="revolute">
      <pose relative_to="base">0 0 0.1 0.3 0 0</pose>
      <parent>base</parent><child>upper</child>
      <axis><xyz expressed_in="__model__">0 1 0.5</xyz>
        <dynamics><damping>0.5</damping><friction>0.1</friction>
        <spring_stiffness>4</spring_stiffness><spring_reference>0.2</spring_reference></dynamics>
      </axis>
    </joint>
    <joint name="elbow" type="prismatic">
      <pose relative_to="shoulder">0 0 0.6 0 0 0</pose>
      <parent>wrist</parent><child>lower</child>
      <axis><xyz>1 0 0</xyz><dynamics><damping>0.1</damping></dynamics></axis>
    </joint>
    <frame name="wrist" attached_to="upper"><pose>0 0.5 0 0 0 0</pose></frame>
  </model>
  </world>
</sdf>
"""

#: The poses are worked out by hand from the file above; frames of MuJoCo's bodies are the joints'.
SDF_IN_MJCF = """<mujoco>
  <compiler angle="radian" eulerseq="XYZ"/>
  <option gravity="0 0.3 -9.81"/>
  <worldbody>
    <body name="base" pos="0.1 0.2 1" euler="0.1 0.2 0.3">
      <inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
      <body name="shoulder_frame" pos="0 0 0.1" euler="0.3 0 0">
        <inertial pos="0 0 0.3" mass="1e-12" diaginertia="1e-12 1e-12 1e-12"/>
        <joint name="shoulder" axis="0 1.1030965924562757 0.18214803790146344"
               damping="0.5" stiffness="4" springref="0.2"/>
        <body name="upper" pos="0 0 0.3" euler="0 0 1.5707963267948966">
          <body name="upper_mass" pos="0 0.1 0" euler="0.2 0 0">
            <inertial pos="0 0 0" mass="2" fullinertia="0.1 0.12 0.15 0.01 0 0"/>
          </body>
        </body>
        <body name="lower" pos="0 0 0.8">
          <inertial pos="0 0 0" mass="1" diaginertia="0.02 0.02 0.01"/>
          <joint name="elbow" type="slide" axis="1 0 0" damping="0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
