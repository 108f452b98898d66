/** What a separation is asked for as, and which links of its answer are wanted, with the part of the song that each is. */
export interface Separation {
  type: 'separate_vocal' | 'split_stem';
  parts: readonly (readonly [link: string, title: string])[];
}

const VOCALS = ['vocalUrl', 'Vocals'] as const;

/** The vendor separates the voice from the rest, or all parts at once, of which one is kept. */
const SEPARATIONS: Readonly<Record<string, Separation>> = {
  vocals: { type: 'separate_vocal', parts: [VOCALS] },
  lead_vocal: { type: 'split_stem', parts: [VOCALS] },
  backing_vocals: { type: 'split_stem', parts: [['backingVocalsUrl', 'Backing Vocals']] },
  drums: { type: 'split_stem', parts: [['drumsUrl', 'Drums']] },
  bass: { type: 'split_stem', parts: [['bassUrl', 'Bass']] },
  guitar: { type: 'split_stem', parts: [['guitarUrl', 'Guitar']] },
  keyboard: { type: 'split_stem', parts: [['keyboardUrl', 'Keyboard']] },
  strings: { type: 'split_stem', parts: [['stringsUrl', 'Strings']] },
  brass: { type: 'split_stem', parts: [['brassUrl', 'Brass']] },
  woodwinds: { type: 'split_stem', parts: [['woodwindsUrl', 'Woodwinds']] },
  percussion: { type: 'split_stem', parts: [['percussionUrl', 'Percussion']] },
  synth: { type: 'split_stem', parts: [['synthUrl', 'Synth']] },
  fx: { type: 'split_stem', parts: [['fxUrl', 'FX']] },
};

const BOTH: Separation = { type: 'separate_vocal', parts: [VOCALS, ['instrumentalUrl', 'Instrumental']] };

/** The separation for a stem type; without one the voice and the rest; undefined when the vendor has none. */
export function separationOf(stemType: string | undefined): Separation | undefined {
  if (stemType === undefined) return BOTH;
  return Object.hasOwn(SEPARATIONS, stemType) ? SEPARATIONS[stemType] : undefined;
}
