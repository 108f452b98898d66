export { createSealer, SEALING_SECRET_MIN_CHARACTERS, type Sealer } from './sealer';
