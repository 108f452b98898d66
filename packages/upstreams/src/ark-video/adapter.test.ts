import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'ark-video',
  basePath: '/api/v3',
  vendorWords: /ark\b|bytedance|byteplus|volc|seedance|doubao/i,
  answers: 'jobs',
  requires: ['frames', 'references'],
});
