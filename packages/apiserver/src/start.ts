import { PolicyAdmission } from './admission/policies.js';
import { withChecks } from './admission/with-checks.js';
import { ApiServer } from './api-server.js';
import type { Tls } from './api-server.js';
import { assemble } from './assemble.js';
import type { Assembled } from './assemble.js';
import { CredentialsAuthenticator, openAuthenticator } from './auth/authenticate.js';
import { EscalationCheck } from './auth/escalation.js';
import { allowAll } from './auth/ports.js';
import { RbacAuthorizer } from './auth/rbac.js';
import { ServiceAccountTokens } from './auth/service-account-tokens.js';
import { Control } from './control/control.js';
import { FaultyObjectService } from './control/faulty-service.js';
import { controlHooks } from './control/http-hooks.js';
import { ControllableClock, timestamp } from './core/clock.js';
import { seededRandom, systemRandom } from './core/random.js';
import type { ObjectService } from './core/types.js';
import { webhookConverter } from './crd/convert.js';
import { HttpServer } from './http/server.js';
import { specialRoutes } from './http/special-routes.js';
import { bootstrapObjects } from './kinds/index.js';
import { settle } from './options.js';
import type { ApiServerOptions, Settings } from './options.js';
import { DataDir } from './persist/data-dir.js';
import type { Keys } from './persist/data-dir.js';
import { Journal } from './persist/journal.js';
import { QuotaAdmission, withQuota } from './quota/admission.js';
import { bootstrap, seedObjects } from './seed.js';
import { startSimulation } from './sim/index.js';
import { Authority, SERVER_NAMES } from './tls/x509.js';
import { WebhookClient } from './webhooks/client.js';
import { WebhookAdmission } from './webhooks/dispatch.js';

/**
 * Revisions of a server without a data folder begin at the ms since this date. So they are above those of an earlier run on
 * the same port, and clients that come back with one of them are told that it is too old, instead of waiting for it.
 */
const REVISION_EPOCH = Date.UTC(2025, 0, 1);

/** `kept`: the authority of an earlier run, so that its kubeconfigs stay good. */
function makeTls({ tls, host }: Settings, kept: Keys['ca']): Tls {
  if (tls === false) return { authority: undefined, files: undefined };
  if (tls !== 'generated') return { authority: undefined, files: tls };
  const authority = kept ? new Authority(kept) : Authority.create();
  return { authority, files: { ...authority.server([...new Set([...SERVER_NAMES, host])]), ca: authority.cert } };
}

/** Brings back what an earlier run left in the data folder, and writes down what changes from now on. */
function openJournal(dir: DataDir, { semantics, crds }: Assembled): Journal {
  const journal = new Journal(dir, semantics.core.store);
  const kept = journal.read();
  if (kept) semantics.restore(kept, () => crds.rebuild());
  journal.start();
  return journal;
}

/** Reads the keys of a data folder, or makes them. */
function openKeys(
  settings: Settings,
  objects: ObjectService,
  { clock, dir }: { clock: ControllableClock; dir: DataDir | undefined },
) {
  const kept = dir?.readKeys();
  const tls = makeTls(settings, kept?.ca);
  const tokens = new ServiceAccountTokens(objects, clock, kept?.tokens);
  const { authority } = tls;
  const ca = authority ? { cert: authority.cert, key: authority.key } : kept?.ca;
  dir?.writeKeys({ tokens: tokens.privateKey, ...(ca ? { ca } : {}) });
  return { tls, tokens };
}

/**
 * The address in the EndpointSlice of the API server. The API takes no loopback address there, so a server that only listens
 * on one shows an address reserved for documentation: nothing routes to it.
 */
const advertised = (address: string): string => (/^(127\.|0\.0\.0\.0$)|:/.test(address) ? '192.0.2.1' : address);

/** Assembles and starts a server. */
export async function start(options: ApiServerOptions): Promise<ApiServer> {
  const settings = settle(options);
  const stops: (() => void | Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    return await startParts(options, settings, { stops, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Lifetime {
  /** What ends with the server, in the order of its start. */
  readonly stops: (() => void | Promise<void>)[];
  readonly stop: () => Promise<void>;
}

async function startParts(
  options: ApiServerOptions,
  settings: Settings,
  { stops, stop }: Lifetime,
): Promise<ApiServer> {
  const dir = options.dataDir === undefined ? undefined : new DataDir(options.dataDir);
  if (dir) stops.push(() => dir.close());
  const webhooks = new WebhookClient();
  stops.push(() => webhooks.close());
  const clock = new ControllableClock();
  const random = options.randomSeed === undefined ? systemRandom() : seededRandom(options.randomSeed);
  const { semantics, crds } = assemble({
    ...options,
    clock,
    random,
    firstRevision: options.randomSeed === undefined ? Date.now() - REVISION_EPOCH : 1,
    converterOf: (crd) => webhookConverter(crd, { client: webhooks, uuid: () => random.uuid() }),
  });
  const journal = dir && openJournal(dir, { semantics, crds });
  const rbac = settings.auth === 'rbac' && new RbacAuthorizer(semantics.objects);
  const escalation = rbac && new EscalationCheck(rbac, semantics.registry);
  const admission = withChecks(new WebhookAdmission({ objects: semantics.objects, client: webhooks }), [
    ...(escalation ? [escalation] : []),
    new PolicyAdmission(semantics.objects),
  ]);
  semantics.admission = settings.controllers.includes('resourcequota')
    ? withQuota(admission, new QuotaAdmission(semantics))
    : admission;
  const { objects } = semantics;
  if (journal) stops.push(() => journal.close());
  stops.push(
    () => semantics.close(),
    () => crds.close(),
  );
  const { tls, tokens } = openKeys(settings, objects, { clock, dir });
  const credentials = new CredentialsAuthenticator({ users: settings.users, anonymous: settings.anonymous, tokens });
  const authorizer = rbac || allowAll;
  const simulation = startSimulation(semantics, {
    controllers: settings.controllers,
    clock,
    random,
    podGrace: settings.podGraceMs,
    caPem: tls.files?.ca ?? '',
  });
  stops.push(() => simulation.stop());
  const restored = (): void => {
    crds.rebuild();
    simulation.rebuild();
    journal?.fold();
  };
  const control = new Control({ semantics, clock, controllers: simulation, restored });
  // Clients meet injected faults, the server's own parts do not.
  const served = new FaultyObjectService(objects, control.faults);
  let ready = false;
  const http = new HttpServer({
    objects: served,
    clock,
    authenticator: rbac ? credentials : openAuthenticator,
    authorizer,
    tls: tls.files,
    special: specialRoutes({
      objects: served,
      clock,
      authorizer,
      tokens,
      lookup: (token, audiences) => credentials.token(token, audiences),
    }),
    checks: [{ name: 'start', ready: () => ready }],
    openid: (path, url) => tokens.openid(path, url),
    ...(settings.control ? { hooks: controlHooks(control, () => objects.revision()) } : {}),
  });
  const address = await http.listen(settings.port, settings.host);
  stops.push(() => http.close());
  const endpoint = { address: advertised(address.address), port: address.port };
  await bootstrap(semantics, bootstrapObjects({ now: timestamp(clock.now()), endpoint }));
  await seedObjects(semantics, settings.seed);
  ready = true;
  return new ApiServer({ settings, semantics, webhooks, control, tls, stop, address });
}
