/** The chart writes these fields of the Gateway API's HTTPRoute: one that is not here is a fault of the chart, or is to be added. */
export interface HttpRoute {
  apiVersion: 'gateway.networking.k8s.io/v1';
  kind: 'HTTPRoute';
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    parentRefs: {
      group?: string;
      kind?: string;
      name: string;
      namespace?: string;
      sectionName?: string;
      port?: number;
    }[];
    hostnames: string[];
    rules: {
      matches: { path: { type: 'PathPrefix'; value: string } }[];
      filters?: {
        type: 'URLRewrite';
        urlRewrite: { path: { type: 'ReplacePrefixMatch'; replacePrefixMatch: string } };
      }[];
      timeouts: { request: string };
      backendRefs: { name: string; port: number }[];
    }[];
  };
}
