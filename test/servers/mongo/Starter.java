import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;

/**
 * A MongoDB stand-in for tests: {@code Starter <port> memory|<file>}. Prints one line when it listens, ends on SIGTERM.
 * With a file, what it acknowledged survives a kill.
 */
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

  private static final Set<String> READS =
      Set.of("hello", "ismaster", "isMaster", "ping", "find", "getMore", "listIndexes", "listCollections");

  /** The library writes its file about once a second. This one writes it before each answer to a write. */
  private static final class CommittingBackend extends H2Backend {
    CommittingBackend(String file) {
      super(file);
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
      Document answer = super.handleCommand(channel, database, command, query);
      if (!READS.contains(command)) commit();
      return answer;
    }
  }

  public static void main(String[] arguments) {
    AbstractMongoBackend backend =
        arguments[1].equals("memory") ? new MemoryBackend() : new CommittingBackend(arguments[1]);
    MongoServer server = new MongoServer(backend.version(VERSION));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("listening on " + server.getLocalAddress().getPort());
  }
}
