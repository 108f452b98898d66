import { createInspectedFiles } from './inspected-files';
import { createRehostedFiles } from './rehosted-files';
import { createWaitingSlots } from './waiting-slots';
import type { WorkerDeps } from './worker-deps';

type StepMemory = Pick<WorkerDeps, 'inFlight' | 'slots' | 'inspectedFiles' | 'rehostedFiles'>;

/** Creates a process's memory of the steps that it takes; it is lost with the process. */
export function createStepMemory(concurrency: number): StepMemory {
  return {
    inFlight: new Map(),
    slots: createWaitingSlots(concurrency),
    inspectedFiles: createInspectedFiles(),
    rehostedFiles: createRehostedFiles(),
  };
}
