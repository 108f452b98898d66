import type { DemoState } from './run-file';

/** How it went, for whoever reads nothing else. */
export function lastLine(demo: DemoState, missing: readonly string[]): string {
  // The demo fails for want of a service, too.
  if (missing.length > 0) return `NOT ready: ${missing.join(', ')} did not come up`;
  if (demo === 'failed') return 'mediagate is up, but the demo failed';
  return 'mediagate is ready';
}
