export { createFingerprintTaker, type FingerprintTaker } from './fingerprints/take-fingerprints';
export { type FileToMark, type Mark, type Marked, markFile, type SourceType } from './marks/mark-file';
export { type ProvenanceSource, readProvenance, readValidStore } from './read-provenance';
export { openSigner, type Signer, SignerError } from './signing/signer';
export type { InputFile } from './signing/write-manifest';
