import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.JSON;

/** Plays calls with a Java client made by openapi-generator. Reads { baseUrl, calls } from standard input. */
public class Driver {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  /** The body of the last answer, and its status. */
  private static String raw;
  private static int status;

  public static void main(String[] none) {
    JsonObject given = JsonParser.parseReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).getAsJsonObject();
    for (JsonElement each : given.getAsJsonArray("calls")) {
      JsonObject call = each.getAsJsonObject();
      JsonObject played = new JsonObject();
      played.add("operation", call.get("operation"));
      status = 0;
      raw = "";
      JsonElement read = JsonNull.INSTANCE;
      String thrown = null;
      try {
        read = play(given.get("baseUrl").getAsString(), call);
      } catch (Throwable error) {
        Throwable cause = error instanceof InvocationTargetException ? error.getCause() : error;
        if (cause instanceof ApiException && status >= 300) {
          // Refusals are thrown; their body is for the caller to read.
          if (!raw.isEmpty()) read = parsed(JSON.serialize(JSON.deserialize(raw, classOf("model.Error"))));
        } else thrown = cause.toString();
      }
      played.addProperty("status", status);
      played.add("raw", raw.isEmpty() ? JsonNull.INSTANCE : parsed(raw));
      played.add("read", read);
      played.addProperty("thrown", thrown);
      OUT.println(new com.google.gson.GsonBuilder().serializeNulls().create().toJson(played));
    }
    System.exit(0);
  }

  private static JsonElement play(String baseUrl, JsonObject call) throws Exception {
    OkHttpClient http = new OkHttpClient.Builder().addInterceptor(chain -> {
      Response response = chain.proceed(chain.request());
      status = response.code();
      raw = response.peekBody(Long.MAX_VALUE).string();
      return response;
    }).build();
    ApiClient client = new ApiClient(http).setBasePath(baseUrl);
    JsonElement token = call.get("token");
    if (!token.isJsonNull()) client.getAuthentications().values().forEach(each -> {
      if (each instanceof org.openapitools.client.auth.HttpBearerAuth) ((org.openapitools.client.auth.HttpBearerAuth) each).setBearerToken(token.getAsString());
    });
    String tag = call.get("tag").getAsString();
    Class<?> api = classOf("api." + tag.charAt(0) + tag.substring(1).toLowerCase() + "Api");
    String name = call.get("operation").getAsString() + "WithHttpInfo";
    Method method = Arrays.stream(api.getMethods()).filter(one -> one.getName().equals(name)).findFirst().orElseThrow();
    Object[] arguments = Arrays.stream(method.getParameters()).map(one -> argument(one, call)).toArray();
    ApiResponse<?> response = (ApiResponse<?>) method.invoke(api.getConstructor(ApiClient.class).newInstance(client), arguments);
    return response.getData() == null ? JsonNull.INSTANCE : parsed(JSON.serialize(response.getData()));
  }

  /** The body is the one parameter that is a model. */
  private static Object argument(Parameter parameter, JsonObject call) {
    boolean isBody = parameter.getType().getName().startsWith("org.openapitools.client.model.");
    JsonElement value = isBody ? call.get("body") : call.getAsJsonObject("parameters").get(snake(parameter.getName()));
    return value == null ? null : JSON.getGson().fromJson(value, parameter.getParameterizedType());
  }

  private static String snake(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase();
  }

  private static Class<?> classOf(String name) {
    try {
      return Class.forName("org.openapitools.client." + name);
    } catch (ClassNotFoundException error) {
      throw new IllegalStateException(error);
    }
  }

  private static JsonElement parsed(String text) {
    return JsonParser.parseString(text);
  }
}
