import { cannotCombine, type Rule, reject, together } from '../rules';
import type { Asset } from './assets';

export type FrameRole = 'first_frame' | 'last_frame';

/** A bare list of frames: the first image is the first frame, any other the last. */
export function frameRole(index: number): FrameRole {
  return index === 0 ? 'first_frame' : 'last_frame';
}

/** Makes the rule that a video has at most one first and one last frame. */
export function eachFrameOnce<Input>(assets: (input: Input) => readonly Asset[]): Rule<Input> {
  return (input) => {
    const frames = assets(input).filter(isFrame);
    const extra = frames.filter(({ role }, index) => frames.findIndex((other) => other.role === role) !== index);
    return together(extra.map(({ field }) => reject(field, 'one_frame_too_many')));
  };
}

/** Makes the rule that a last frame comes with a first one. */
export function lastFrameNeedsFirst<Input>(assets: (input: Input) => readonly Asset[]): Rule<Input> {
  return (input) => {
    const frames = assets(input).filter(isFrame);
    const last = frames.find(({ role }) => role === 'last_frame');
    if (last === undefined || frames.some(({ role }) => role === 'first_frame')) return undefined;
    return reject(last.field, 'last_frame_alone');
  };
}

/** Makes the rule that a video has frames or references. */
export function framesOrReferences<Input>(assets: (input: Input) => readonly Asset[]): Rule<Input> {
  return (input) => {
    const all = assets(input);
    const frame = all.find(isFrame);
    if (frame === undefined) return undefined;
    const references = all.filter((asset) => !isFrame(asset));
    return together(references.map(({ field }) => cannotCombine(field, 'not_combined', { field, other: frame.field })));
  };
}

export function isFrame({ role }: Asset): boolean {
  return role === 'first_frame' || role === 'last_frame';
}
