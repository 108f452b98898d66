export {
  createFingerprintTaker,
  type FingerprintTaker,
  maxDistanceOf,
  sampledKind,
} from './fingerprints/take-fingerprints';
export { type FileToMark, type Mark, type Marked, markFile, readParent, type SourceType } from './marks/mark-file';
export { type ProvenanceSource, readProvenance, readValidStore } from './read-provenance';
export { openSigner, type Signer, SignerError } from './signing/signer';
export type { InputFile, Parent } from './signing/write-manifest';
