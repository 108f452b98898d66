export { HELD_LIMIT_MS, holdLimits } from './held-limits';
