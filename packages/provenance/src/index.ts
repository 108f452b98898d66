export { type ProvenanceSource, readProvenance } from './read-provenance';
