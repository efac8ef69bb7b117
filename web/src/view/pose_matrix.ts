import * as THREE from "three";

import type { Vec3 } from "../core/recording";

/** From the coordinates of a mesh to the world. `pose`: of the centre of mass (x y z, rotation x y z w); `centre`: that in the mesh. */
export function poseMatrix(pose: ArrayLike<number>, centre: Vec3): THREE.Matrix4 {
  const turn = new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]);
  const origin = new THREE.Vector3(...centre)
    .applyQuaternion(turn)
    .negate()
    .add(new THREE.Vector3(pose[0], pose[1], pose[2]));
  return new THREE.Matrix4().compose(origin, turn, new THREE.Vector3(1, 1, 1));
}
