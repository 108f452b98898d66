import type { Bench } from './bench';

/**
 * How a protocol answers a start. `jobs`: by an accepted job, which is asked about later. `files`: by a file, whole. `streams`:
 * by bytes as they are made.
 */
export type Answers = 'outputs' | 'files' | 'jobs' | 'streams';

/** Facts of a protocol that the suite needs. */
export interface Conformance {
  /** The path of the channel's `base_url` in the fixtures, as `/v1`. */
  basePath: string;
  /** Words that would tell a caller who the vendor is. */
  vendorWords: RegExp;
  /** Default: `outputs`. */
  answers?: Answers;
  /** Fixtures that the protocol's family must have beside those of every protocol. */
  requires?: readonly string[];
  /** This fixture alone, on bad networks too: of a second kind of answer of a protocol whose fixtures are judged already. */
  only?: string;
}

/** One guarantee of the suite. */
export interface Trial {
  name: string;
  /** Rejects with the reason where the adapter does not keep it. */
  run(): Promise<void>;
}

/** The same before it is known which adapter it is tried on. */
export interface TrialOf {
  name: string;
  run(bench: Bench): Promise<void> | void;
}
