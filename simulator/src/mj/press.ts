/** The effect of a button that is pressed. Images are counted from 1. */
export type Press =
  | { kind: 'upscale'; index: number }
  | { kind: 'vary'; index: number; strength: 'strong' | 'subtle' }
  | { kind: 'reroll' }
  | { kind: 'enlarge'; factor: number }
  | { kind: 'zoom'; ratio: number }
  | { kind: 'custom-zoom' }
  | { kind: 'pan'; direction: Direction }
  | { kind: 'inpaint' }
  | { kind: 'animate'; motion: Motion }
  | { kind: 'extend-video'; index: number; motion: Motion }
  | { kind: 'imagine-text'; index: number }
  | { kind: 'imagine-all' }
  | { kind: 'describe-again' };

export type Direction = 'left' | 'right' | 'up' | 'down';
export type Motion = 'low' | 'high';
