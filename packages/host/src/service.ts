import type { Scope } from './scope';

/** A service runs as a process of its own, or with others in one. */
export interface Service {
  name: string;
  /** Opens what it needs, and returns once it serves. */
  main(scope: Scope): Promise<void>;
  /** Time for work in flight at a shutdown; default: 25. The variable DRAIN_SECONDS overrides it. */
  drainSeconds?: number;
}

export const DEFAULT_DRAIN_SECONDS = 25;

/**
 * Several services as one, for hosts with little memory. Each has a scope of its own: its lines and its metrics bear its name. They start
 * and end together, and an error that one of them does not claim ends them all.
 */
export function together(name: string, services: readonly Service[]): Service {
  return {
    name,
    drainSeconds: Math.max(...services.map(({ drainSeconds = DEFAULT_DRAIN_SECONDS }) => drainSeconds)),
    async main(scope) {
      await Promise.all(services.map((service) => service.main(scope.part(service.name))));
    },
  };
}
