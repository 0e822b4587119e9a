import type { Clock, Duration, Logger } from '@kubewright/api';
import type { Class, ControllerDefaults } from '@kubewright/metadata';
import type { LoadClusterOptions } from '@kubewright/runtime';
import type { Container } from 'inversify';
import type { LogLevel } from './pino-logger.js';

/** What an operator is made of. Only `controllers` is needed. */
export interface OperatorOptions {
  /** In User-Agent, field manager and logs. Default `kubewright-operator`. */
  readonly name?: string;
  /** In User-Agent. Default: the version of kubewright. */
  readonly version?: string;
  /** The `@Controller` classes. */
  readonly controllers: readonly Class[];
  /** `@Resource` classes that no controller names. Default: none. */
  readonly resources?: readonly Class[];
  /** Binds services of yours in the operator's own container. Called once, before anything is constructed. */
  readonly bindings?: (container: Container) => void;
  /** Namespaces whose objects are watched; cluster-scoped kinds are not affected. Default: all. */
  readonly namespaces?: readonly string[];
  /** Path of a kubeconfig, its parsed content, or a KubeConfig. Default: KUBECONFIG, the Pod's account, `~/.kube/config`. */
  readonly kubeConfig?: NonNullable<LoadClusterOptions['kubeConfig']>;
  /** Options of all controllers, where neither `perKind` nor `@Controller` says otherwise. Default: none. */
  readonly controllerDefaults?: ControllerDefaults;
  /**
   * Options of the controllers of one kind, by kind and group (`PodSet.app.example.com`, `Pod`), where `@Controller` does
   * not say otherwise. Default: none.
   */
  readonly perKind?: Readonly<Record<string, ControllerDefaults>>;
  /** `lenient`: no controller waits for kinds or rights that are missing, the others run. Default `strict`. */
  readonly startup?: 'strict' | 'lenient';
  /**
   * How objects are kept. `store: 'bytes'` keeps JSON outside of the JavaScript heap and parses it when it is read: less
   * memory for many objects that are seldom read, more work for each read. Default `objects`. `readYourOwnWrites: false`:
   * cached reads do not show own writes before their events came. Default true.
   */
  readonly cache?: { readonly store?: 'objects' | 'bytes'; readonly readYourOwnWrites?: boolean };
  /** Serves /healthz, /livez and /readyz. Port 0 takes any free one. Default: not served. */
  readonly health?: { readonly port: number; readonly host?: string };
  /** Yours instead of pino on stdout. */
  readonly logger?: Logger;
  /** Of the built-in logger. Default `info`. */
  readonly logLevel?: LogLevel;
  /** SIGTERM and SIGINT stop the operator. Default true. */
  readonly signals?: boolean;
  /** How long runs may go on after a stop. Default 30 s; 0 = not at all. */
  readonly gracefulTimeout?: Duration;
  /** How long start waits for the caches. Default 2 min. */
  readonly cacheSyncTimeout?: Duration;
  /** For tests. Default: the clock of the process. */
  readonly clock?: Clock;
  /** For tests; 0 ≤ x < 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Where environment variables and flags come from; false: nowhere. Default: those of the process. */
  readonly environment?: Environment | false;
}

/** Environment variables and command line arguments. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
}

/** Types the options of an operator, so that a module can export them and the command line can read them. */
export function defineOperator(options: OperatorOptions): OperatorOptions {
  return options;
}
