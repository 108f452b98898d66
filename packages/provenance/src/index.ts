export { type FileToMark, type Marked, markFile, type SourceType } from './marks/mark-file';
export { type ProvenanceSource, readProvenance } from './read-provenance';
