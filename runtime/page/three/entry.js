// What the page draws with; bundle.mjs makes three.bundle.js of it.
export {
  ACESFilmicToneMapping, AmbientLight, BufferAttribute, BufferGeometry, CapsuleGeometry, Color,
  ConeGeometry, CylinderGeometry, DirectionalLight, DoubleSide, EdgesGeometry, ExtrudeGeometry, Fog,
  GridHelper, Group, HemisphereLight, InstancedMesh, LatheGeometry, LineBasicMaterial, LineSegments, Line, Matrix3, Matrix4,
  Mesh, MeshBasicMaterial, MeshStandardMaterial, Box3, BoxGeometry, PCFShadowMap, Path, PerspectiveCamera, Plane,
  PlaneGeometry, PMREMGenerator, Quaternion, Raycaster, Scene, ShadowMaterial, Shape, Sphere, SphereGeometry,
  SRGBColorSpace, TorusGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
export { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
