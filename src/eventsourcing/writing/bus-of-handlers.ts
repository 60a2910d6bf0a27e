import { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { ModuleRef } from '@nestjs/core';
import { CommandBus, type ICommandHandler } from '@nestjs/cqrs';

/** A bus with these handlers, for work outside the modules of the service: a program of the command line, a test. */
export function busOfHandlers(...handlers: readonly ICommandHandler[]): CommandBus {
  // The bus uses its module only for handlers that are made anew for each request.
  const bus = new CommandBus(undefined as unknown as ModuleRef);
  const wrapped = handlers.map((instance) => {
    const metatype = instance.constructor as new (...parts: never[]) => ICommandHandler;
    return new InstanceWrapper<ICommandHandler>({ metatype, instance, isResolved: true });
  });
  bus.register(wrapped);
  return bus;
}
