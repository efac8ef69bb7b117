import type { StreamEntry, StreamName } from "./streams";
import type { Motion } from "./tracks";

/** The data model that every face shares. SI units, Y is up, colours are linear RGB. */

export type Vec3 = readonly [number, number, number];

export interface Mesh {
  readonly positions: Float32Array; // m, in the mesh's coordinates
  readonly triangles: Uint32Array; // three vertices each, counter-clockwise from outside
  readonly outside: number; // so many triangles come first; the others were made by cracks
}

/** What shaders can paint on a surface; a look names one and says how much of it. In the order of the shader's numbers. */
export const SHADING_FAMILIES = ["plain", "grained", "wood", "metal", "clear", "frosted"] as const;
export type ShadingFamily = (typeof SHADING_FAMILIES)[number];

export interface Shine {
  readonly roughness: number;
  readonly metallic: number;
  readonly opacity: number; // seen straight on
  readonly glow: number; // light that comes from within, of what is seen through
}

/** How a material is drawn: src/material/look.h. All of it comes with the recording. */
export interface Look {
  readonly name: string; // of the material
  readonly kind: string; // of the look, for people
  readonly family: ShadingFamily;
  readonly colour: Vec3;
  readonly shine: Shine;
  readonly insideColour: Vec3; // of crack faces
  readonly insideShine: Shine;
  // unevenness, as shares of the colour; bumps are those of the relief
  readonly mottle: number;
  readonly bumps: number;
  readonly flecks: number;
  readonly pores: number;
  readonly speckle: number;
  readonly warmth: number;
}

const DULL: Shine = { roughness: 0.65, metallic: 0, opacity: 1, glow: 1 };

/** A surface of one colour. */
export const PLAIN_LOOK: Look = {
  name: "",
  kind: "plain",
  family: "plain",
  colour: [0.6, 0.6, 0.6],
  shine: DULL,
  insideColour: [0.7, 0.7, 0.7],
  insideShine: { ...DULL, roughness: 0.88 },
  mottle: 0,
  bumps: 0,
  flecks: 0,
  pores: 0,
  speckle: 0,
  warmth: 0,
};

export interface Body {
  readonly id: number; // index into Recording.bodies
  readonly name: string; // path: wall, wall/p3, wall/p3/p0
  readonly parent: number; // -1: none
  readonly root: number; // the body of the scene it was part of
  readonly mesh: number; // -1: none
  readonly halfSpace: boolean; // solid below its own y = 0
  readonly kind: string; // dynamic, static, kinematic
  readonly look: number; // index into Recording.looks
  readonly method: string; // how it breaks; empty: never
  readonly mass: number; // kg
  readonly volume: number; // m^3
  readonly centre: Vec3; // of mass, in the mesh's coordinates, m
  readonly born: number; // the first frame that has it
  readonly died: number; // the first frame that does not; Infinity: lives
  readonly track: Motion;
}

/** What a body felt when it broke, in the coordinates of its mesh. */
export interface BreakStress {
  readonly worst: {
    readonly place: Vec3; // m
    readonly direction: Vec3; // unit, of the tension
    readonly tension: number; // Pa, largest principal stress
    readonly strength: number; // Pa
  };
  readonly contacts: readonly {
    readonly point: Vec3; // m
    readonly force: Vec3; // N
    readonly time: number; // s, how long it lasted
  }[];
  readonly strainEnergy: number; // J, before anything cracked
  readonly cracks: number;
  readonly rounds: number; // of cracking and solving for the stress anew
  readonly elements: number;
}

export interface RecordedEvent {
  readonly frame: number;
  readonly kind: string; // fracture, dent, release, message, others
  readonly body: number; // -1: none
  readonly pieces: number; // how many it became
  readonly reason: string;
  readonly point: Vec3 | undefined; // of the impact, m, world
  readonly impulse: number | undefined; // N s
  readonly energy: number | undefined; // J, taken by breaking
  readonly massError: number | undefined; // relative
  readonly momentumError: number | undefined; // relative
  readonly angularMomentumError: number | undefined; // relative
  readonly stress: BreakStress | undefined; // of breaks, from methods that know
}

export interface CameraView {
  readonly position: Vec3;
  readonly target: Vec3;
  readonly fieldOfView: number; // degrees, across the picture's width
}

export type BackgroundKind = "studio" | "sky" | "dark" | "white";

export interface SceneView {
  readonly camera: CameraView | undefined; // absent: show everything
  readonly light: Vec3; // direction towards the main light
  readonly background: BackgroundKind;
}

export interface Recording {
  readonly title: string;
  readonly program: string; // version that recorded it
  readonly dt: number; // s per frame
  readonly firstFrame: number;
  readonly frames: number; // how many there are
  readonly times: Float64Array; // s, of each frame
  readonly meshes: readonly Mesh[];
  readonly bodies: readonly Body[];
  readonly looks: readonly Look[];
  readonly events: readonly RecordedEvent[]; // by frame
  readonly series: ReadonlyMap<string, Float32Array>; // one value per frame
  readonly view: SceneView;
  /** What a stream keeps of a frame, or of the so-many-th event; undefined: that is not known, or was left out. */
  stream<Name extends StreamName>(name: Name, frameOrEvent: number): Promise<StreamEntry<Name> | undefined>;
}

export function lastFrame(recording: Recording): number {
  return recording.firstFrame + recording.frames - 1;
}

/** In a whole frame. */
export function isAlive(body: Body, frame: number): boolean {
  return body.track.samples > 0 && body.born <= frame && frame < body.died;
}

/** As people count them: the endless floor is none. Those that live in a whole frame; without one, all that ever did. */
export function countBodies(recording: Recording, frame?: number): number {
  const counts = (body: Body): boolean => !body.halfSpace && (frame === undefined ? body.born < Infinity : isAlive(body, frame));
  return recording.bodies.reduce((count, body) => count + (counts(body) ? 1 : 0), 0);
}

/** That came of one body. */
export function childrenOf(recording: Recording, parent: number): Body[] {
  return recording.bodies.filter((body) => body.parent === parent);
}
