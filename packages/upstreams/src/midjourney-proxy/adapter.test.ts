import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'midjourney-proxy',
  basePath: '',
  vendorWords: /midjourney|discord|\bmj\b/i,
  answers: 'jobs',
});
