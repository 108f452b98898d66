import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'gemini-video',
  basePath: '/v1beta',
  vendorWords: /google|gemini|veo\b/i,
  answers: 'jobs',
  requires: ['frames', 'references'],
});
