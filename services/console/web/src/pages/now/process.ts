/** A process as the console asked it. */
export interface Process {
  name: string;
  /** `host:port`, which tells replicas of one name apart. */
  address: string;
  state: 'ready' | 'not_ready' | 'down';
  reason: string | null;
  up_seconds: number | null;
  work: readonly { label: string; value: number | null; alarming: boolean }[];
}
