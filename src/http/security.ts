import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Security headers. No inline script or style and no eval anywhere: what a conversation or a model wrote can't run.
 * @param formTargets origins a form may lead to beside our own (the CRM, the payment provider)
 */
export function securityHeaders(options: { https: boolean; formTargets: string[] }): RequestHandler {
  const self = ["'self'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: self,
        styleSrc: self,
        fontSrc: self,
        imgSrc: self,
        connectSrc: self,
        manifestSrc: self,
        formAction: [...self, ...options.formTargets],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(options.https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: options.https,
    referrerPolicy: { policy: 'same-origin' },
  });
}
