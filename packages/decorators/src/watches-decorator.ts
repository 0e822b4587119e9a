import type { Request, Wire } from '@kubewright/api';
import type { WatchesOptions } from '@kubewright/metadata';

type Requests = readonly Request[] | Request | null | undefined;

/** On a class it needs a `handler`; on a method the method maps the old and the new object to requests. */
export type WatchesDecorator<T> = ClassDecorator &
  (<M extends (object: Wire<T>) => Requests | Promise<Requests>>(
    target: object,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ) => void);

/** What can be said of a channel: it has no cache, hence no selector. */
export type ChannelOptions = Pick<WatchesOptions, 'handler' | 'predicates' | 'priority'>;
