/** The vendor's word for a separation, and the links that are wanted from its answer, each with its stem. */
export interface Separation {
  type: 'separate_vocal' | 'split_stem';
  parts: readonly (readonly [link: string, stemType: string])[];
}

const VOCALS = ['vocalUrl', 'vocals'] as const;

/** The vendor separates the voice from the rest, or all parts at once, of which one is kept. */
const SEPARATIONS: Readonly<Record<string, Separation>> = {
  vocals: { type: 'separate_vocal', parts: [VOCALS] },
  lead_vocal: { type: 'split_stem', parts: [['vocalUrl', 'lead_vocal']] },
  backing_vocals: { type: 'split_stem', parts: [['backingVocalsUrl', 'backing_vocals']] },
  drums: { type: 'split_stem', parts: [['drumsUrl', 'drums']] },
  bass: { type: 'split_stem', parts: [['bassUrl', 'bass']] },
  guitar: { type: 'split_stem', parts: [['guitarUrl', 'guitar']] },
  keyboard: { type: 'split_stem', parts: [['keyboardUrl', 'keyboard']] },
  strings: { type: 'split_stem', parts: [['stringsUrl', 'strings']] },
  brass: { type: 'split_stem', parts: [['brassUrl', 'brass']] },
  woodwinds: { type: 'split_stem', parts: [['woodwindsUrl', 'woodwinds']] },
  percussion: { type: 'split_stem', parts: [['percussionUrl', 'percussion']] },
  synth: { type: 'split_stem', parts: [['synthUrl', 'synth']] },
  fx: { type: 'split_stem', parts: [['fxUrl', 'fx']] },
};

const BOTH: Separation = { type: 'separate_vocal', parts: [VOCALS, ['instrumentalUrl', 'instrumental']] };

/** The separation for a stem type; without one the voice and the rest; undefined when the vendor has none. */
export function separationOf(stemType: string | undefined): Separation | undefined {
  if (stemType === undefined) return BOTH;
  return Object.hasOwn(SEPARATIONS, stemType) ? SEPARATIONS[stemType] : undefined;
}

export const STEM_TYPES: readonly string[] = Object.keys(SEPARATIONS);
