import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** A MongoDB stand-in for tests: {@code Starter <port> memory|<file>}. Prints one line when it listens, ends on SIGTERM. */
public final class Starter {
  /** The library's own newest wire version is older than what the driver asks for. */
  private static final MongoVersion VERSION =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  public static void main(String[] arguments) {
    AbstractMongoBackend backend =
        arguments[1].equals("memory") ? new MemoryBackend() : new H2Backend(arguments[1]);
    MongoServer server = new MongoServer(backend.version(VERSION));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("listening on " + server.getLocalAddress().getPort());
  }
}
