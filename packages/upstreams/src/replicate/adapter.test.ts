import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'replicate',
  basePath: '/v1',
  vendorWords: /replicate|seedream|hailuo|minimax/i,
  answers: 'jobs',
  requires: ['images', 'edit', 'frames', 'cancel-starting'],
});
