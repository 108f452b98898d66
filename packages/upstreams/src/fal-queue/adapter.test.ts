import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'fal-queue',
  basePath: '',
  vendorWords: /\bfal\b|seedream|kling|hailuo|minimax/i,
  answers: 'jobs',
  requires: ['images', 'edit', 'frames', 'cancel-queued'],
});
